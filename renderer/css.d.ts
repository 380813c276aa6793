declare module "*.module.css" {
  const names: Readonly<Record<string, string>>;
  // biome-ignore lint/style/noDefaultExport: Vite gives a module's class names as its default.
  export default names;
}
declare module "*.css" {}
