/** What the plans of a workspace include. */
export const monthlyConversations = { starter: 100, team: 2_000, business: 10_000 } as const;
