-- Works beside older programs.
-- The last whole operation that is stored: whoever lost the connection when it ended learns whether it is.
CREATE TABLE last_operation (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  mark TEXT COLLATE "C" NOT NULL -- a random name of the operation
);
