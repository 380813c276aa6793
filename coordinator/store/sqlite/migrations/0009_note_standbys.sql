-- Coordinators stand by where the store is a server's database. Nobody stands by beside a file: nothing changes here.
SELECT 1;
