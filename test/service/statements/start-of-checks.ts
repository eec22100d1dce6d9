/** The start of the checks: early in a month, so that their moves of the time stay in it. */
export const startOfChecks = (): Date => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2));
};
