import { expect } from '@open-wc/testing';
import { MarkdownView } from '../../../src/markdown/index.ts';
import { payloads } from './payloads.ts';

const labels = {
  code: { copy: 'Copy', copied: 'Copied', table: 'Show whole table', code: (language: string) => language },
  problems: { network: 'The connection failed.' },
  tools: { failed: (title: string) => title },
};

const elements = new Set(
  'div p h3 h4 h5 h6 ul ol li blockquote hr pre code span button table thead tbody tr th td a em strong del br input'.split(
    ' ',
  ),
);
const attributes = new Set(
  'class data-host dir href target rel start type disabled scope data-align aria-label role tabindex'.split(' '),
);

/** Returns everything in `root` that text alone must not create. */
const escaped = (root: Element): string[] => {
  return [...root.querySelectorAll('*')].flatMap((element) => [
    ...(elements.has(element.localName) ? [] : [element.localName]),
    ...[...element.attributes].flatMap(({ name, value }) => {
      // The button below a wide table can be styled by the page.
      if (name === 'part' && value === 'button') return [];
      if (!attributes.has(name)) return [name];
      return name === 'href' && !/^(?:https?:\/\/|mailto:|tel:)/.test(value) ? [value] : [];
    }),
  ]);
};

describe('Hostile Markdown', () => {
  let container: HTMLElement;
  let fired = 0;

  beforeEach(() => {
    container = document.body.appendChild(document.createElement('div'));
    fired = 0;
    Object.assign(window, { alert: () => fired++, fetched: () => fired++ });
  });

  afterEach(() => {
    container.remove();
  });

  it('is covered by at least 58 payloads', () => {
    expect(payloads.length).to.be.at.least(58);
  });

  for (const step of [Infinity, 1])
    it(step === 1 ? 'stays text while it streams' : 'stays text when it arrives whole', () => {
      for (const payload of payloads) {
        const view = new MarkdownView(container, { labels });
        for (let end = step; end < payload.length; end += step) {
          view.update(payload.slice(0, end));
          expect(escaped(container), payload.slice(0, end)).to.deep.equal([]);
        }
        view.update(payload, true);
        expect(escaped(container), payload).to.deep.equal([]);
        for (const link of container.querySelectorAll('a')) {
          link.addEventListener('click', (event) => event.preventDefault(), { once: true });
          link.click();
        }
      }
      expect(fired).to.equal(0);
    });

  it('causes no request', async () => {
    const before = performance.getEntriesByType('resource').length;
    for (const payload of payloads) new MarkdownView(container, { labels }).update(payload, true);
    // A response to a later request shows that earlier requests have left.
    await fetch(`${import.meta.url}?later`);
    const names = performance.getEntriesByType('resource').slice(before);
    expect(names.filter(({ name }) => name.includes('evil')).length).to.equal(0);
  });

  it('is rendered under the strictest policy with Trusted Types, with no policy but that of Lit', async () => {
    const url = (path: string): string => new URL(path, import.meta.url).href;
    const policy = `default-src 'none'; script-src 'self' 'nonce-a'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types lit-html`;
    const frame = document.createElement('iframe');
    frame.srcdoc = `<meta http-equiv="Content-Security-Policy" content="${policy}"><div></div>
      <script type="module" nonce="a">
        import { MarkdownView } from '${url('../../../src/markdown/index.ts')}';
        import { payloads } from '${url('./payloads.ts')}';
        const violations = [];
        document.addEventListener('securitypolicyviolation', ({ blockedURI, violatedDirective }) => {
          if (!blockedURI.includes('later.example')) violations.push(violatedDirective);
          else parent.postMessage({ violations, drawn: payloads.length });
        });
        const labels = { code: { copy: '', copied: '', table: '', code: () => '' }, problems: { network: '' }, tools: { failed: (title) => title } };
        const view = new MarkdownView(document.querySelector('div'), { labels });
        for (const payload of payloads) {
          for (let end = 1; end < payload.length; end++) view.update(payload.slice(0, end));
          view.update(payload, true);
        }
        // This violation is reported after those of the rendering.
        fetch('https://later.example/').catch(() => {});
      </script>`;
    const result = new Promise((resolve) => {
      addEventListener('message', ({ data }) => data.drawn && resolve(data));
    });
    container.append(frame);
    expect(await result).to.deep.equal({ violations: [], drawn: payloads.length });
  });
});
