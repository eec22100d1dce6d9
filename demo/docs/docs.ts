/** The script of the docs: it copies code, switches the colour scheme, and collapses the contents on a narrow screen. */
const root = document.documentElement;
const schemeButton = document.querySelector<HTMLButtonElement>('#scheme')!;
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

const isDark = (): boolean => {
  const { scheme } = root.dataset;
  return scheme ? scheme === 'dark' : prefersDark.matches;
};

const nameScheme = (): void => {
  schemeButton.textContent = isDark() ? 'Light' : 'Dark';
};

const storedScheme = localStorage.getItem('docs-scheme');
if (storedScheme) root.dataset['scheme'] = storedScheme;
nameScheme();
prefersDark.addEventListener('change', nameScheme);
schemeButton.addEventListener('click', () => {
  root.dataset['scheme'] = isDark() ? 'light' : 'dark';
  localStorage.setItem('docs-scheme', root.dataset['scheme']);
  nameScheme();
});

const menu = document.querySelector<HTMLDetailsElement>('.pages details')!;
const narrow = matchMedia('(width < 56rem)');
const fold = (): void => {
  menu.open = !narrow.matches;
};
fold();
narrow.addEventListener('change', fold);

for (const box of document.querySelectorAll('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(box.querySelector('code')!.textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  });
  box.append(button);
}
