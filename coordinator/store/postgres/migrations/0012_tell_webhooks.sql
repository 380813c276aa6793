-- What programs that subscribed are told, and what came of it. Rows come with the decisions that they tell of.
CREATE TABLE webhook_deliveries (
  epoch BIGINT NOT NULL,
  nr BIGINT NOT NULL, -- within its epoch; receivers know repeats by both, so that they do not return
  webhook TEXT COLLATE "C" NOT NULL, -- its name
  type TEXT COLLATE "C" NOT NULL,
  about TEXT COLLATE "C" NOT NULL, -- such as `job 12`
  made BIGINT NOT NULL, -- in the farm's time, as all times here
  body TEXT COLLATE "C" NOT NULL, -- as it is signed and sent
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('waiting', 'delivered', 'given_up')),
  since BIGINT NOT NULL, -- when tries began: when it was made, or somebody had it sent again
  tries BIGINT NOT NULL, -- since then
  next_try BIGINT, -- NULL once it ended
  ended BIGINT,
  http_status BIGINT, -- of the last response
  answer TEXT COLLATE "C", -- the receiver's, or why the last try failed
  PRIMARY KEY (epoch, nr)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook, next_try, epoch, nr) WHERE next_try IS NOT NULL;
CREATE INDEX webhook_deliveries_listed ON webhook_deliveries (webhook, epoch, nr);
CREATE INDEX webhook_deliveries_counted ON webhook_deliveries (webhook, state, epoch, nr);
CREATE INDEX webhook_deliveries_old ON webhook_deliveries (webhook, made);

ALTER TABLE nodes ADD COLUMN lost_at BIGINT; -- when it was noticed that it is lost; NULL once it is back
