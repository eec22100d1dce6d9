/** Finds environment variables whose names are misspelled: the service would ignore them. */
import { editDistance } from './knowledge/edit-distance.ts';

export interface UnknownVariable {
  name: string;
  /** The variable that has almost this name. */
  meant: string;
}

/** Kubernetes and others describe services with such variables. */
const ofServices = /_(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP))(_|$)|_PORT$/;

/**
 * Whether a name is a variable's with a mistake. In a short name, two letters are too much, and one at the beginning makes another
 * word: `HTTP_URL` is not `SMTP_URL`, nor is `TEAMS_URL` a mistake. `DATABASE_URL_2` is another program's.
 */
const isMistake = (name: string, known: string): boolean =>
  known.length >= 10 && !name.startsWith(`${known}_`) && editDistance(name, known) <= 2;

/** @param known The variables of the service. */
export const unknownVariables = (
  environment: Record<string, string | undefined>,
  known: readonly string[],
): UnknownVariable[] =>
  Object.keys(environment)
    .filter((name) => environment[name] && !known.includes(name) && !ofServices.test(name))
    .flatMap((name) => {
      const meant = known.find((each) => isMistake(name.toUpperCase(), each));
      return meant === undefined ? [] : [{ name, meant }];
    });

export const describeUnknown = ({ name, meant }: UnknownVariable): string =>
  `The service does not know the variable ${name}: ${meant} is meant.`;
