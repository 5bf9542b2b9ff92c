/** What the script reads of the plan in the page. */
export interface PagePlan {
  readonly planned_at?: string;
  readonly variables?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly contents?: readonly { readonly timezone: string | null }[];
  readonly policy?: {
    readonly quiet_hours?: { readonly from: string; readonly to: string; readonly timezone: string };
  };
}

export function readPlan(): PagePlan {
  return JSON.parse(document.getElementById('plan')?.textContent ?? '{}') as PagePlan;
}
