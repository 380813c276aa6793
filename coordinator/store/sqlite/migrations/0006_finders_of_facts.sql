-- Which node found the facts of a file: they are looked at anew once it is not trusted any more. Those from before are believed.
ALTER TABLE facts ADD COLUMN found_by INTEGER;
