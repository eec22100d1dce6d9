/** The date of the contract in use, and where the API lives. */
export const apiVersion = '2026-10-01';
export const basePath = '/api/v2';
