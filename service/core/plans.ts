/** The plans of a workspace and what each includes. */
export type Plan = 'starter' | 'team' | 'business';

interface PlanFeatures {
  api: boolean;
  helpdesk: boolean;
  /** Actions of each agent. */
  actions: number;
  /** Characters of knowledge of each agent. */
  text: number;
  /** Conversations of the whole workspace in a month. */
  conversations: number;
}

export const plans: Record<Plan, PlanFeatures> = {
  starter: { api: false, helpdesk: false, actions: 3, text: 200_000, conversations: 100 },
  team: { api: true, helpdesk: false, actions: 10, text: 2_000_000, conversations: 2_000 },
  business: { api: true, helpdesk: true, actions: 30, text: 10_000_000, conversations: 10_000 },
};
