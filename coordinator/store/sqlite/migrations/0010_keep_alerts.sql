-- What the farm noticed, and what it tells people of it.
CREATE TABLE alert_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  value TEXT NOT NULL CHECK (json_valid(value)) -- what is open and what waits to be told
) STRICT;

CREATE TABLE alert_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- receivers know repeats by it, so that ids do not return
  channel TEXT NOT NULL, -- a name; the channel may be gone
  made INTEGER NOT NULL,
  content TEXT NOT NULL CHECK (json_valid(content)),
  state TEXT NOT NULL CHECK (state IN ('waiting', 'told', 'given_up')),
  tries INTEGER NOT NULL,
  next_try INTEGER, -- NULL once it ended
  ended INTEGER,
  answer TEXT -- the receiver's, or why the last try failed
) STRICT;
CREATE INDEX alert_messages_due ON alert_messages (next_try, id) WHERE next_try IS NOT NULL;
