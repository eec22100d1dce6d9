/** The configuration of the docs site. It needs only the packages of `docs/package.json`. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import postcssRtlcss from 'postcss-rtlcss';
import { defineConfig, type DefaultTheme } from 'vitepress';
import manifest from '../../package.json' with { type: 'json' };
import { languageModelFiles, textOf } from '../site/language-model-files.ts';
import { pageGroups, routeOf, summaryOf, titleOf, type PageGroup } from '../site/pages.ts';
import { termOf, withSearchWords } from '../site/search-terms.ts';
import { slugOf } from '../site/slug.ts';
import { homePages } from './home.ts';
import { markdownRules } from './markdown.ts';
import { arabicSearch, themeTexts } from './texts.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const base = process.env['DOCS_BASE'] ?? '/';
/** The origin of the site, such as `https://docs.example`. Without it, `llms.txt` has absolute paths. */
const origin = process.env['DOCS_ORIGIN'] ?? '';

const read = (page: string): string => readFileSync(join(folder, `${page}.md`), 'utf8');
const menuTitle = (page: string): string => {
  if (page === 'changelog') return 'Changelog';
  if (page === 'README') return 'Overview';
  if (page === 'recipes/README') return 'All recipes';
  return page === 'ar/README' ? 'نظرة عامة' : titleOf(read(page));
};

const sidebarGroup = ({ title, pages }: PageGroup): DefaultTheme.SidebarItem => ({
  text: title,
  items: pages.map((page) => ({ text: menuTitle(page), link: `/${routeOf(page).replace(/index$/, '')}` })),
});

/** A long menu delays each page on a slow device, so the pages of a folder have a menu of their own. */
const folderOf = ({ pages: [first = ''] }: PageGroup): string | null =>
  first.endsWith('/README') ? first.slice(0, -'README'.length) : null;

const englishSidebar = (): DefaultTheme.SidebarMulti => {
  const toAll = { text: 'All docs', items: [{ text: 'Overview', link: '/' }] };
  const folders = pageGroups.en.flatMap((group) => {
    const name = folderOf(group);
    return name ? [[`/${name}`, [sidebarGroup(group), toAll]] as const] : [];
  });
  return {
    ...Object.fromEntries(folders),
    '/': pageGroups.en.map((group) => {
      const name = folderOf(group);
      const pages = group.pages.filter((page) => !name || page === `${name}README` || !page.startsWith(name));
      return sidebarGroup({ ...group, pages });
    }),
  };
};

/** `npm run docs:build` makes the zip, and `npm run docs` does not. VitePress adds the base only to links to pages. */
const downloadOf = (text: string): DefaultTheme.NavItemWithLink[] =>
  existsSync(join(folder, 'public/workspace-chat.zip'))
    ? [{ text, link: `${base}workspace-chat.zip`, target: '_self' }]
    : [];

const version = { text: `v${manifest.version}`, link: '/changelog' };

const allPages = Object.values(pageGroups).flatMap((groups) => groups.flatMap(({ pages }) => pages));

export default defineConfig({
  base,
  title: 'workspace-chat',
  description: manifest.description,
  cacheDir: './.vitepress/cache',
  lastUpdated: false,
  rewrites: Object.fromEntries(
    allPages.filter((page) => page !== routeOf(page)).map((page) => [`${page}.md`, `${routeOf(page)}.md`]),
  ),
  // The decisions are for people who read the code, and have their place in the repository.
  srcExclude: ['node_modules/**', 'decisions/**'],
  head: [
    ['link', { rel: 'icon', href: `${base}favicon.svg`, type: 'image/svg+xml' }],
    ['meta', { name: 'theme-color', content: '#2f5fd0' }],
  ],
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // All pictures are below the first screen.
    image: { lazyLoading: true },
    config: markdownRules(folder, base),
  },
  locales: {
    root: {
      label: 'English',
      lang: 'en',
      themeConfig: {
        ...themeTexts.en,
        nav: [
          { text: 'Get started', link: '/start-site-owner' },
          ...downloadOf('Download'),
          { text: 'Installer', link: '/installer.html', target: '_self' },
          { text: 'Theme studio', link: '/theme-studio.html', target: '_self' },
          { text: 'Recipes', link: '/recipes/' },
          { text: 'API', link: '/api' },
          { text: 'Figures', link: '/figures' },
          version,
        ],
        sidebar: englishSidebar(),
      },
    },
    ar: {
      label: 'العربية',
      lang: 'ar',
      dir: 'rtl',
      description: 'أداة محادثة لموقعك: مكوّن ويب واحد، صغير وآمن وسهل الوصول، بالعربية والإنجليزية.',
      themeConfig: {
        ...themeTexts.ar,
        nav: [
          { text: 'لديّ موقع', link: '/ar/start-site-owner' },
          ...downloadOf('تنزيل'),
          { text: 'صفحة التثبيت', link: '/installer.html', target: '_self' },
          { text: 'أنا مصمّم', link: '/ar/start-designer' },
          { text: 'حلّ المشكلات', link: '/ar/troubleshooting' },
          version,
        ],
        sidebar: pageGroups.ar.map(sidebarGroup),
      },
    },
  },
  themeConfig: {
    // Not every page exists in both languages.
    i18nRouting: false,
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        detailedView: false,
        locales: { ar: arabicSearch },
        miniSearch: { options: { processTerm: termOf } },
        _render: (source, environment, markdown) =>
          withSearchWords(markdown.render(source, environment), environment.frontmatter?.['search']),
      },
    },
  },
  transformPageData(page) {
    const home = homePages[page.relativePath];
    const source = readFileSync(join(folder, page.filePath), 'utf8');
    return {
      ...(home && { frontmatter: { ...page.frontmatter, ...home } }),
      // VitePress writes the description into an attribute as it is.
      ...(summaryOf(source) && { description: summaryOf(source).replaceAll('"', "'") }),
    };
  },
  buildEnd({ outDir }) {
    const site = `${origin}${base}`;
    for (const page of allPages) writeFileSync(join(outDir, `${routeOf(page)}.md`), textOf(page, read(page), site));
    // docs/accessibility.md links the conformance report, and the texts for language models link pictures.
    const files = readdirSync(folder).filter((name) => /\.(?:png|yaml)$/.test(name));
    for (const name of files) cpSync(join(folder, name), join(outDir, name));
    for (const [name, text] of Object.entries(languageModelFiles(pageGroups.en, read, site)))
      writeFileSync(join(outDir, name), text);
  },
  vite: {
    css: {
      postcss: {
        plugins: [postcssRtlcss({ ltrPrefix: ':where([dir="ltr"])', rtlPrefix: ':where([dir="rtl"])' })],
      },
    },
  },
});
