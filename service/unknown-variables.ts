/** Finds environment variables that the operator meant for the service, and that it does not know. A misspelled one would be ignored. */
import { editDistance } from './knowledge/edit-distance.ts';

export interface UnknownVariable {
  name: string;
  /** The variable that has almost this name. */
  meant?: string;
}

/** Only the service has variables with these beginnings. */
const prefixes = ['WORKSPACE_', 'OIDC_'];

/** Those of the other programs in this repository, and the alias of an older version. */
const otherNames = [
  'WORKSPACE_AGENT_ID',
  'WORKSPACE_BASE_URL',
  'WORKSPACE_HOST_URL',
  'WORKSPACE_IDENTITY_SECRET',
  'WORKSPACE_PUBLISHABLE_KEY',
  'WORKSPACE_SEAL_KEY',
  'WORKSPACE_SECRET_KEY',
];

/** Kubernetes describes each service of the namespace with such variables. */
const ofKubernetes = /_(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP))(_|$)|_SERVICE_PORT$|_PORT$/;

/** @param known The variables of the service. */
export const unknownVariables = (
  environment: Record<string, string | undefined>,
  known: readonly string[],
): UnknownVariable[] => {
  const set = Object.keys(environment).filter((name) => environment[name]);
  return set
    .filter((name) => !known.includes(name) && !otherNames.includes(name))
    .flatMap((name): UnknownVariable[] => {
      const meant = known.find((each) => isAlmost(name.toUpperCase(), each));
      if (meant !== undefined) return [{ name, meant }];
      return prefixes.some((prefix) => name.startsWith(prefix)) && !ofKubernetes.test(name) ? [{ name }] : [];
    });
};

/** Of a short name, two letters are too much: `HTTP_URL` is not `SMTP_URL`. */
const isAlmost = (name: string, known: string): boolean => editDistance(name, known) <= (known.length < 10 ? 1 : 2);

export const describeUnknown = ({ name, meant }: UnknownVariable): string =>
  `The service does not know the variable ${name}${meant === undefined ? '' : `: ${meant} is meant`}.`;
