/**
 * The timeouts that parts outside of the service depend on: the proxy, the pool of connections, the database and the process
 * manager. The table in docs/operations.md explains them, and a test compares them with the files of the deployment.
 */
const second = 1000;

/**
 * An idle connection of a caller. It is longer than that of the proxy, which otherwise sends a call over a connection that
 * the service is closing. A POST is not repeated, so the caller gets 502.
 */
export const keepAliveMs = 130 * second;

/** The time until the headers of a request have arrived. Node.js also counts the idle time before the request. */
export const headersTimeoutMs = keepAliveMs + 5 * second;

/** The time until a request has arrived as a whole. */
export const requestTimeoutMs = 300 * second;

/** The time that a call waits for a connection of the pool. */
export const poolTimeoutMs = 15 * second;

/** The time of one statement, including the time that it waits for locks. Migrations have no limit. */
export const statementTimeoutMs = 30 * second;

/** The time without an answer after which a connection to the database is closed. */
export const silentConnectionMs = statementTimeoutMs + 5 * second;

/** The time that `/readyz` waits for the database. */
export const probeTimeoutMs = 2 * second;

/** The time after `--drain-seconds` in which a turn that does not react to its end is given up. */
export const exitGraceMs = 5 * second;
