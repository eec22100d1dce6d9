/** The version of the API contract, and the path prefix of the API. */
export const apiVersion = '2026-10-01';
export const basePath = '/api/v2';
