/**
 * `npm run bench:replies`: the replies without a language model to questions about trades that the demo does not
 * contain, in English and Arabic. A reply is right when it contains the marked text, or when it refuses a question that
 * the workspace has no passage for. `-- --all` prints each wrong reply, `-- --tuning` leaves out the held-out workspaces.
 *
 * `-- --embeddings=http://127.0.0.1:11434/v1 --model=nomic-embed-text` finds passages by their meaning too. `--similarity=0.6`
 * sets the least similarity of a passage, and WORKSPACE_MODEL_KEY the key of the endpoint.
 */
import { readdir, readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { ChatResponse } from '../../contract/wire.ts';
import { modelsFromEnvironment, type EmbeddingSettings } from '../../service/model/settings.ts';
import { TestService } from '../service/support.ts';

type Kind = 'shared' | 'paraphrase' | 'typo' | 'dialect' | 'talk' | 'offTopic' | 'collision';

interface QuestionSet {
  domain: string;
  language: 'en' | 'ar';
  /** No change to the service was tried on these questions. */
  heldOut: boolean;
  /** The workspace that the passages are added to. The default is `empty`. */
  workspace?: 'demo' | 'empty';
  passages: { heading: string; text: string }[];
  /** `passage` is a text that only the right passage contains. */
  questions: { kind: Kind; question: string; passage?: string }[];
}

const folder = new URL('./replies/', import.meta.url);
const targets: Record<Kind, number> = {
  shared: 90,
  paraphrase: 60,
  typo: 80,
  dialect: 60,
  talk: 90,
  offTopic: 95,
  collision: 98,
};

interface Count {
  right: number;
  all: number;
}

/** The counts by set, language and kind, such as `held out/en/shared`. */
const counts = new Map<string, Count>();
const { values: options } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    tuning: { type: 'boolean', default: false },
    embeddings: { type: 'string' },
    model: { type: 'string', default: 'nomic-embed-text' },
    similarity: { type: 'string' },
  },
});
const printsWrong = options.all;

const embeddingSettings = (): EmbeddingSettings | undefined => {
  const { embeddings: url, model, similarity } = options;
  if (url === undefined) return undefined;
  return modelsFromEnvironment({
    WORKSPACE_MODEL_URL: url,
    WORKSPACE_EMBEDDING_MODEL: model,
    WORKSPACE_MODEL_KEY: process.env['WORKSPACE_MODEL_KEY'],
    WORKSPACE_EMBEDDING_MIN_SIMILARITY: similarity,
  }).embeddings;
};
const embeddings = embeddingSettings();

const count = (group: string, isRight: boolean): void => {
  const { right, all } = counts.get(group) ?? { right: 0, all: 0 };
  counts.set(group, { right: right + (isRight ? 1 : 0), all: all + 1 });
};

/** Replies to all questions: right, refused although there is a passage, or something else. */
const totals = {
  tuning: { right: 0, wrong: 0, refused: 0 },
  'held out': { right: 0, wrong: 0, refused: 0 },
};
/** Percentages of the replies to the held-out questions. */
const leastRight = 70;
const mostWrong = 2;

/** A greeting or thanks gets a reply without a source. */
const isRightReply = (
  kind: Kind,
  passage: string | undefined,
  { outcome, message, sources }: ChatResponse,
): boolean => {
  if (kind === 'talk') return outcome === 'answered' && sources.length === 0;
  if (passage === undefined) return outcome === 'refused';
  return message?.content.includes(passage) ?? false;
};

const measure = async ({
  language,
  domain,
  heldOut,
  workspace = 'empty',
  passages,
  questions,
}: QuestionSet): Promise<void> => {
  const tested = new TestService();
  await tested.start({ workspace, ...(embeddings ? { embeddings } : {}) });
  const key = tested.secretKey;
  const text = passages.map((passage) => `## ${passage.heading}\n\n${passage.text}`).join('\n\n');
  if (text !== '') {
    const body = { type: 'text', name: domain, text };
    const { status } = await tested.call('POST', `/agents/${tested.agentId}/sources`, { key, body });
    if (status !== 202) throw new Error(`The source of ${domain} was not added: ${status}.`);
  }
  await tested.service.work();
  for (const { kind, question, passage } of questions) {
    tested.clock.now += 4000;
    const { body } = await tested.chat(question, { key });
    const content = body.message?.content ?? '';
    const isRight = isRightReply(kind, passage, body);
    count(`${heldOut ? 'held out' : 'tuning'}/${language}/${kind}`, isRight);
    const outcome = isRight ? 'right' : body.outcome === 'refused' ? 'refused' : 'wrong';
    totals[heldOut ? 'held out' : 'tuning'][outcome]++;
    if (printsWrong && !isRight) {
      console.log(`${domain} ${language} ${kind}: ${question}\n  ${body.outcome}: ${content.replaceAll('\n', ' ')}`);
    }
  }
  const failures = tested.log.filter(({ event }) => event === 'embedding_failure').length;
  if (failures > 0) throw new Error(`The endpoint for embeddings failed ${failures} times.`);
  await tested.service.close();
};

const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
for (const file of files) {
  const set = JSON.parse(await readFile(new URL(file, folder), 'utf8')) as QuestionSet;
  if (!set.heldOut || !options.tuning) await measure(set);
}

const percent = ({ right, all }: Count): number => Math.round((100 * right) / all);
const rows = [...counts].map(([group, result]) => {
  const [set, language, kind] = group.split('/');
  return { set, language, kind, right: `${result.right} of ${result.all}`, percent: percent(result) };
});
console.table(rows);
console.table(totals);

let isBelow = false;
for (const kind of Object.keys(targets) as Kind[]) {
  const all: Count = { right: 0, all: 0 };
  for (const [group, result] of counts) {
    if (!group.endsWith(`/${kind}`)) continue;
    all.right += result.right;
    all.all += result.all;
  }
  isBelow ||= percent(all) < targets[kind];
  console.log(`${kind}: ${all.right} of ${all.all}, ${percent(all)} % (target ${targets[kind]} %)`);
}
if (!options.tuning) {
  const { right, wrong, refused } = totals['held out'];
  const [rightShare, wrongShare] = [right, wrong].map((part) => (100 * part) / (right + wrong + refused));
  console.log(
    `held out: ${rightShare!.toFixed(1)} % right (target ${leastRight} %), ${wrongShare!.toFixed(1)} % wrong (at most ${mostWrong} %)`,
  );
  isBelow ||= !(rightShare! >= leastRight && wrongShare! <= mostWrong);
}
process.exitCode = isBelow ? 1 : 0;
