/** What the tray's picture says: it works or may work for the farm, its tasks are suspended, or it does not lend. */
export type TrayPicture = "lending" | "held" | "off";

/**
 * Told apart by their shapes: three full bars, the two bars of a pause, three hollow bars. In ink with a light edge, so that
 * they show on dark and light panels alike. 32 × 32.
 */
export const trayIcons: Readonly<Record<TrayPicture, string>> = {
  lending:
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAAVElEQVR42mNgGAXDEfz///8OPkwXB0jLq/zHhkcdMOoAih1ATAqnuQMIGT7qgFEHkO0AaqVwihxADcNHHTDqgFEHjDpg1AFD2wHEVEbUUDMKBg0AAM3+Ei1DyeDIAAAAAElFTkSuQmCC",
  held: "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAAR0lEQVR42mNgGAWjAAf4////HXyYUvVEOUBaXuU/NozLAaSoH3XAqANGHTDqgFEHjDpg1AGjDhh1wKgDhoYDBrRZPgpGDAAAo5g1zr7DVCwAAAAASUVORK5CYII=",
  off: "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAAZElEQVR42mNgGAXDEfz///8OPkwXB0jLq/zHhkeeA2DBPuoAqjmAmBROcwcQSmAjxwG4DB91ANkOoFYKp8gB1Ehgw8MBlBg+6oBRB4w6YHg4gJiCiBI1g9cBxFRG1FAzCgYNAAB2iOLdqbvL/gAAAABJRU5ErkJggg==",
};
