-- Only a start asks for all open tasks, and finds them by the jobs that go on; every change of a task's state paid for it.
DROP INDEX tasks_open;
