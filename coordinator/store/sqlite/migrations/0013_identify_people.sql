-- Whom an identity provider vouches for: who vouches, and its own name for the person. Such people have no password.
ALTER TABLE people ADD COLUMN issuer TEXT; -- NULL: this farm itself, by a password
ALTER TABLE people ADD COLUMN subject TEXT CHECK ((subject IS NULL) = (issuer IS NULL));
CREATE UNIQUE INDEX people_subject ON people (issuer, subject) WHERE issuer IS NOT NULL;
