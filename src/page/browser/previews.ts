/** Shows the previews of one account; empty for the first of each card. */
export type ShowAccount = (account: string) => void;

/** The switch between accounts in each preview. Its options are made when it is first used, because there are many. */
export function switchAccounts(): ShowAccount {
  const names = [...document.querySelectorAll<HTMLOptionElement>('#filters [name=account] option')]
    .slice(1)
    .map((option) => option.value);
  const previews = [...document.querySelectorAll<HTMLElement>('.pv')];
  for (const preview of previews) {
    const select = preview.querySelector<HTMLSelectElement>('.who');
    if (select === null) continue;
    const own = listAccounts(preview.closest('.card'), names);
    select.add(new Option(own[0]));
    const fill = () => {
      const { value } = select;
      select.replaceChildren(...own.map((account) => new Option(account)));
      select.value = value;
    };
    select.addEventListener('pointerdown', fill, { once: true });
    select.addEventListener('focus', fill, { once: true });
    select.addEventListener('change', () => show(preview, select.value, names));
    // The page shows the first account.
    for (const thread of preview.querySelectorAll<HTMLElement>('.thread.own')) thread.hidden = true;
  }
  return (account) => {
    for (const preview of previews) {
      const select = preview.querySelector<HTMLSelectElement>('.who');
      const own = listAccounts(preview.closest('.card'), names);
      if (select === null || !own.includes(account)) continue;
      if (![...select.options].some(({ value }) => value === account)) select.add(new Option(account));
      select.value = account;
      show(preview, account, names);
    }
  };
}

type Variables = Readonly<Record<string, Readonly<Record<string, string>>>>;

let variables: Variables | null = null;

/** Read from the plan with the first use, because it may have megabytes. */
function readVariables(): Variables {
  const plan = () =>
    JSON.parse(document.getElementById('plan')?.textContent ?? '{}') as { readonly variables?: Variables };
  return (variables ??= plan().variables ?? {});
}

function show(preview: HTMLElement, account: string, names: readonly string[]): void {
  const values = readVariables()[account] ?? {};
  const shown = preview.querySelector('.acc');
  if (shown !== null) shown.textContent = account;
  for (const thread of preview.querySelectorAll<HTMLElement>('.thread')) {
    thread.hidden = !listAccounts(thread, names).includes(account);
    if (thread.hidden) continue;
    for (const element of thread.querySelectorAll<HTMLElement>('[data-var]')) {
      const name = element.dataset['var'] ?? '';
      element.textContent = values[name] ?? `{{${name}}}`;
    }
  }
}

/** The page has numbers of accounts, because names of people may be long. */
export function listAccounts(element: HTMLElement | null, names: readonly string[]): readonly string[] {
  const indexes = (element?.dataset['accounts'] ?? '').split(' ').filter((part) => part !== '');
  return indexes.map((index) => names[Number(index)] ?? '');
}
