/**
 * `npm run bench:abilities`: tries what the widgets can do, beside each other: under a strict policy, in Arabic, in several tabs,
 * and when the network or the server fails. Writes `abilities.json` and a section of `docs/figures.md`. Takes two minutes.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeFormatted } from '../../scripts/write-formatted.ts';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { installPackages } from '../support/packages-of.ts';
import { buildCdn } from '../support/servers/built-widget.ts';
import { Trial } from './ability-trial.ts';
import { faults } from './ability-faults.ts';
import { deepChat, storingDeepChat, widgets } from './peers.ts';
import { abilitiesSection, withSection, type Abilities } from './sections.ts';
import { serveBench } from './server.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
installPackages('bench');

const policy = [
  "default-src 'none'",
  "script-src 'self' 'nonce-bench'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
].join('; ');
const trustedTypes = `${policy}; require-trusted-types-for 'script'`;

type Check = (trial: Trial) => Promise<string>;

const widget = await buildCdn();
const browser = await launchBrowser();
/** A server for each widget, because all of them are tried at the same time. */
const places = await Promise.all(
  widgets.map(async (peer) => ({
    peer: peer === deepChat ? storingDeepChat : peer,
    server: await serveBench({ own: widget.folder }),
  })),
);

/** Runs a check in a new profile. Returns `no` when the widget does not come as far as the check. */
const attempt = async ({ peer, server }: (typeof places)[number], check: Check): Promise<string> => {
  const trial = await Trial.start(browser, server, peer);
  try {
    return await check(trial);
  } catch (error) {
    console.log(`${peer.name}: ${String(error).split('\n')[0]}`);
    return 'no';
  } finally {
    await trial.close();
  }
};

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no');

const underPolicy = (content: string) => async (trial: Trial) => {
  trial.server.policy = content;
  await trial.open();
  const hasReplied = await trial.ask('Is it open?');
  const count = await trial.countViolations();
  if (!hasReplied) return 'no';
  return count === 0 ? 'yes' : `with ${count} violation${count === 1 ? '' : 's'}`;
};

const inArabicPage = async (trial: Trial) => {
  trial.server.language = 'ar';
  await trial.open();
  return yesOrNo(await trial.hasArabicField());
};

const arabicReply = async (trial: Trial) => {
  await trial.open();
  await trial.ask('Is it open?', 'نعم، كل يوم!');
  return yesOrNo(await trial.readsFromTheRight('نعم', '!'));
};

const afterReload = async (trial: Trial) => {
  await trial.open();
  await trial.ask('Is it open?', 'Open until six.');
  await trial.open();
  return yesOrNo(await trial.shows('Open until six.'));
};

const inSecondTab = async (trial: Trial) => {
  await trial.open();
  await trial.ask('Is it open?', 'Open until six.');
  const other = await trial.secondTab();
  await other.open();
  return yesOrNo(await other.shows('Open until six.'));
};

const inBothTabs = async (trial: Trial) => {
  await trial.open();
  const other = await trial.secondTab();
  await other.open();
  await trial.ask('Is it open?', 'Open until six.');
  return yesOrNo(await other.shows('Open until six.'));
};

const checks: [what: string, check: Check][] = [
  ['works under a strict Content-Security-Policy', underPolicy(policy)],
  ['works with Trusted Types as well', underPolicy(trustedTypes)],
  ['its own labels follow an Arabic page', inArabicPage],
  ['an Arabic reply begins at the right', arabicReply],
  ['the conversation is there after a reload', afterReload],
  ['the conversation is there in a second tab', inSecondTab],
  ['open tabs show the same messages', inBothTabs],
];

const rows: Abilities['rows'] = [];
const add = async (what: string, check: Check): Promise<void> => {
  const cells = await Promise.all(places.map((place) => attempt(place, check)));
  rows.push([what, ...cells]);
  console.log([what.padEnd(56), ...cells].join(' | '));
};

for (const [what, check] of checks) await add(what, check);
const faultRows = rows.length;
for (const { what, cause, partial } of faults)
  await add(what, async (trial) => {
    await trial.open();
    return yesOrNo(await trial.survives(cause, partial));
  });

const tried = rows.splice(faultRows);
const total = widgets.map((_, index) => `${tried.filter((row) => row[index + 1] === 'yes').length} of ${tried.length}`);
rows.push(['survives faults of the network and the server', ...total]);
const abilities: Abilities = { names: widgets.map(({ name }) => name), rows, faults: tried };
await Promise.all([browser.close(), ...places.map(({ server }) => server.close())]);

writeFormatted(join(here, 'abilities.json'), JSON.stringify(abilities));
const figures = fileURLToPath(new URL('../../docs/figures.md', import.meta.url));
writeFormatted(figures, withSection(await readFile(figures, 'utf8'), abilitiesSection(abilities)));
