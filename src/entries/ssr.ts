/** `workspace-chat/ssr`: the launcher in a server's HTML, and its hydration in the browser. */
export { hydrateLaunchers } from '../products/ssr/hydrate-launchers.ts';
export { renderLauncher, type RenderLauncherOptions } from '../products/ssr/render-launcher.ts';
