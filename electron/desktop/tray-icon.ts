/** Three bars in ink with a light edge, so that they show on dark and light panels alike. 32 × 32. */
export const trayIcon =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAATUlEQVR42u3VMQoAIAwEwbwi//+pqewEr8iJgV2wkzBIwAiiaa1LTwCZeTwAAGyAdVFVgO2VAFgByvLYAR3DAQAAAADAbIDyGXXcoW8qhmvViCedN9UAAAAASUVORK5CYII=";
