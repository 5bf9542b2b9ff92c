/** What the script reads of the plan in the page. */
export interface PagePlan {
  readonly planned_at?: string;
  readonly variables?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly contents?: readonly { readonly timezone: string | null }[];
  readonly policy?: {
    readonly quiet_hours?: { readonly from: string; readonly to: string; readonly timezone: string };
  };
}

let plan: PagePlan | null = null;

/** Read with the first use, because it may have megabytes. */
export function readPlan(): PagePlan {
  plan ??= JSON.parse(document.getElementById('plan')?.textContent ?? '{}') as PagePlan;
  return plan;
}
