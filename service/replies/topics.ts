/** The subjects that a visitor can choose from: the agent's usable actions, and the headings of its sources. */
import { sql } from 'drizzle-orm';
import { languageOf } from '../core/language.ts';
import { queryRows, type Db } from '../db/database.ts';
import type { Action, Turn } from './reply-source.ts';

const maxTopics = 4;
/** The other topics are headings of sources. */
const maxActions = 2;
const maxSources = 10;
/** Characters of a topic, which is the label of a button. */
const maxLength = 60;

/** Returns topics in the visitor's language. Each of them gets a reply when the visitor sends it as a message. */
export const findTopics = async (db: Db, { agent, actions, language }: Turn): Promise<string[]> => {
  const requested = actions.flatMap((action) => wordings(action).find((each) => languageOf(each) === language) ?? []);
  // The first headings of all sources come before the second ones.
  const headings = await queryRows<{ title: string }>(
    db,
    sql`select heading.title from (
          select id, indexed_revision, created_at from sources
          where agent_id = ${agent.id} and indexed_revision <> '' order by created_at, id limit ${maxSources}) s
        cross join lateral (
          select c.title, row_number() over (order by c.id) as position from chunks c
          where c.source_id = s.id and c.revision = s.indexed_revision and c.language = ${language}
            and c.title <> '' and length(c.title) <= ${maxLength} order by c.id limit ${maxTopics}) heading
        order by heading.position, s.created_at, s.id`,
  );
  const topics = [...requested.slice(0, maxActions), ...headings.map(({ title }) => title)];
  return [...new Set(topics)].slice(0, maxTopics);
};

const wordings = ({ config }: Action): string[] => {
  const all = Array.isArray(config['asked_by']) ? config['asked_by'] : [];
  return all.filter((each): each is string => typeof each === 'string' && each !== '' && each.length <= maxLength);
};
