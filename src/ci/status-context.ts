/** The name of the commit status of a workspace. Plans are on the head of a pull request, applies on the merged commit. */
export function statusContext(folder: string, job: 'plan' | 'apply'): string {
  const workspace = folder === '' ? 'herald' : `herald/${folder}`;
  return job === 'plan' ? workspace : `${workspace} apply`;
}
