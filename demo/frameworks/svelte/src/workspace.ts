/** What `npm start` of the repository prints, or your own workspace's. */
export const workspace = {
  baseUrl: 'https://api.example/api/v2',
  publishableKey: 'svc_pk_…',
  agentId: 'agt_…',
};
