/** Lists the pages of the site in their order. A page is named by the path of its Markdown file, without the extension. */

export interface PageGroup {
  title: string;
  pages: readonly string[];
}

export type SiteLanguage = 'en' | 'ar';

const recipes = [
  'wordpress',
  'shopify',
  'google-tag-manager',
  'nextjs',
  'turbo-rails',
  'astro',
  'django',
  'laravel',
  'php',
  'strict-csp',
  'consent',
  'coming-from',
  'open-from-a-link',
  'proactive',
  'analytics',
  'hand-over',
  'suggestions',
  'ratings',
  'transcript',
  'past-conversations',
  'notices',
  'several-agents',
  'behind-a-path',
];

const platforms = ['ios', 'android', 'react-native', 'flutter', 'other-shells', 'what-the-app-does', 'protocol'];

const servicePages = ['dashboard', 'sign-in', 'replies', 'deliveries', 'retention', 'settings', 'conformance', 'code'];

export const pageGroups: Readonly<Record<SiteLanguage, readonly PageGroup[]>> = {
  en: [
    {
      title: 'Get started',
      pages: ['README', 'start-site-owner', 'start-app-developer', 'start-designer', 'start-operator'],
    },
    { title: 'On the page', pages: ['script-tag', 'frameworks', 'api', 'client', 'testing'] },
    { title: 'In an app', pages: ['webview/README', ...platforms.map((name) => `webview/${name}`)] },
    { title: 'Make it yours', pages: ['theming', 'text-of-replies', 'blocks', 'client-tools', 'identity', 'host'] },
    { title: 'Recipes', pages: ['recipes/README', ...recipes.map((name) => `recipes/${name}`)] },
    { title: 'The service', pages: ['service/README', ...servicePages.map((name) => `service/${name}`), 'operations'] },
    { title: 'Trust it', pages: ['security', 'accessibility', 'faults', 'troubleshooting'] },
    {
      title: 'Behind it',
      pages: ['architecture', 'why', 'figures', 'interpretations', 'releasing', 'changelog'],
    },
  ],
  ar: [
    { title: 'البداية', pages: ['ar/README', 'ar/start-site-owner', 'ar/start-designer'] },
    { title: 'المساعدة', pages: ['ar/troubleshooting'] },
  ],
};

/** Returns the path of a page on the site, without its extension. A README is the index of its folder. */
export const routeOf = (page: string): string => page.replace(/(^|\/)README$/, '$1index');

/** The pages of the demo that the site has as files of its own. */
export const designPages: Readonly<Record<string, string>> = {
  'demo/theming.html': 'theme-studio.html',
  'demo/gallery.html': 'gallery.html',
};

/** Removes the metadata at the start of a Markdown text. */
export const withoutFrontMatter = (markdown: string): string => markdown.replace(/^---\n[\s\S]*?\n---\n+/, '');

/** Returns the first heading of a Markdown text as plain text. */
export const titleOf = (markdown: string): string =>
  /^# (.+)$/m
    .exec(markdown)?.[1]
    ?.replaceAll('`', '')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1') ?? '';

/** Returns the first paragraph below the first heading as plain text, for search engines and lists. */
export const summaryOf = (markdown: string): string => {
  const prose = withoutFrontMatter(markdown)
    .replaceAll(/^(`{3,}).*\n[\s\S]*?^\1$/gm, '')
    .replace(/^# .+$/m, '');
  const paragraphs = prose.split(/\n{2,}/);
  const first = paragraphs.map((each) => each.trim()).find((each) => each !== '' && !/^[<>#|`!-]/.test(each)) ?? '';
  return first
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
};
