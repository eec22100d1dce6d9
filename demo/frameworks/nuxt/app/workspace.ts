/** Copy the values from the output of `npm start`, or from your own workspace. */
export const workspace = {
  baseUrl: 'https://api.example/api/v2',
  publishableKey: 'svc_pk_…',
  agentId: 'agt_…',
};
