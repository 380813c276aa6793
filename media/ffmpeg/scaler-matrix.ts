/** The name that every build's scaler has for a matrix. */
export const scalerMatrix = (matrix: string): string =>
  matrix.startsWith("bt2020") ? "bt2020" : matrix === "bt470bg" ? "bt470" : matrix;
