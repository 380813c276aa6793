-- Works beside older programs.
-- An operation on a file has ended when its call returns: nobody has to ask what became of it, so nothing changes here.
SELECT 1;
