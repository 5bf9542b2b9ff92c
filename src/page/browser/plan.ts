/** What the script reads of the plan in the page. */
export interface PagePlan {
  readonly variables?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

let plan: PagePlan | null = null;

/** Read with the first use, because it may have megabytes. */
export function readPlan(): PagePlan {
  plan ??= JSON.parse(document.getElementById('plan')?.textContent ?? '{}') as PagePlan;
  return plan;
}
