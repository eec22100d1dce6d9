/** A Vite plugin that serves the docs below `/docs/` of the demo site, and renders a page on each request. */
import type { Plugin } from 'vite';
import { docsFolder, readPages } from './pages.ts';
import { renderPage } from './render.ts';

export const docs = (): Plugin => ({
  name: 'docs',
  configureServer(server) {
    server.watcher.add(docsFolder);
    server.watcher.on('change', (file) => {
      if (file.startsWith(docsFolder)) server.ws.send({ type: 'full-reload' });
    });
    const render = async (path: string): Promise<string | null> => {
      const groups = await readPages();
      const page = groups.flatMap(({ pages }) => pages).find((each) => each.path === path);
      return page ? server.transformIndexHtml(`/docs/${path || 'index.html'}`, renderPage(page, groups)) : null;
    };
    server.middlewares.use('/docs', (request, response, next) => {
      const path = new URL(request.url ?? '/', 'http://site').pathname.replace(/^\//, '');
      if (path !== '' && !path.endsWith('.html')) return next();
      // Relative links need the slash.
      if (!request.originalUrl?.startsWith('/docs/')) return response.writeHead(302, { location: '/docs/' }).end();
      response.setHeader('content-type', 'text/html; charset=utf-8');
      void render(path).then(
        (html) => response.writeHead(html === null ? 404 : 200).end(html ?? 'Page not found.'),
        (error: Error) => {
          server.config.logger.error(`${error.stack}`);
          response.writeHead(500).end('The page could not be rendered. See the error in the terminal.');
        },
      );
    });
  },
});
