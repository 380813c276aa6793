/** Whether a process of this machine has this id. */
export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (problem) {
    return (problem as NodeJS.ErrnoException).code === "EPERM"; // it exists, but belongs to somebody else
  }
};
