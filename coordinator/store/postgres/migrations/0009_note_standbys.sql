-- Which coordinators would lead if they could, so that the leader knows whether it may give the lease away.
CREATE TABLE standbys (
  holder TEXT COLLATE "C" PRIMARY KEY, -- a random name of the process
  address TEXT COLLATE "C" NOT NULL,
  seen TIMESTAMPTZ NOT NULL
);
