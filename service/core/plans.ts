/** What the plans of a workspace include. */
export type Plan = 'starter' | 'team' | 'business';

interface Included {
  api: boolean;
  helpdesk: boolean;
  /** Of each agent. */
  actions: number;
  /** Characters of knowledge of each agent. */
  text: number;
  /** A month, for the whole workspace. */
  conversations: number;
}

export const plans: Record<Plan, Included> = {
  starter: { api: false, helpdesk: false, actions: 3, text: 200_000, conversations: 100 },
  team: { api: true, helpdesk: false, actions: 10, text: 2_000_000, conversations: 2_000 },
  business: { api: true, helpdesk: true, actions: 30, text: 10_000_000, conversations: 10_000 },
};
