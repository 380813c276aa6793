-- What programs that subscribed are told, and what came of it. Rows come with the decisions that they tell of.
CREATE TABLE webhook_deliveries (
  epoch INTEGER NOT NULL,
  nr INTEGER NOT NULL, -- within its epoch; receivers know repeats by both, so that they do not return
  webhook TEXT NOT NULL, -- its name
  type TEXT NOT NULL,
  about TEXT NOT NULL, -- such as `job 12`
  made INTEGER NOT NULL, -- in the farm's time, as all times here
  body TEXT NOT NULL, -- as it is signed and sent
  state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'given_up')),
  since INTEGER NOT NULL, -- when tries began: when it was made, or somebody had it sent again
  tries INTEGER NOT NULL, -- since then
  next_try INTEGER, -- NULL once it ended
  ended INTEGER,
  http_status INTEGER, -- of the last response
  answer TEXT, -- the receiver's, or why the last try failed
  PRIMARY KEY (epoch, nr)
) STRICT;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook, next_try, epoch, nr) WHERE next_try IS NOT NULL;
CREATE INDEX webhook_deliveries_listed ON webhook_deliveries (webhook, epoch, nr);
CREATE INDEX webhook_deliveries_counted ON webhook_deliveries (webhook, state, epoch, nr);
CREATE INDEX webhook_deliveries_old ON webhook_deliveries (webhook, made);

ALTER TABLE nodes ADD COLUMN lost_at INTEGER; -- when it was noticed that it is lost; NULL once it is back
