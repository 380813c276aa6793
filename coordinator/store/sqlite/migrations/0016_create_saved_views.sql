CREATE TABLE saved_views (
  page TEXT NOT NULL,
  name TEXT NOT NULL,
  search TEXT NOT NULL CHECK (json_valid(search)), -- what stands in the page's address
  PRIMARY KEY (page, name)
) STRICT, WITHOUT ROWID;
