-- The trace that the submission belonged to, as its caller said it by the W3C's Trace Context.
ALTER TABLE jobs ADD COLUMN traceparent TEXT; -- NULL: nobody said
