const HOUR_MS = 3_600_000;

// Everything here is comfort: without it the page shows all it has to show.
for (const element of document.querySelectorAll<HTMLElement>('.js')) element.hidden = false;

const FIELDS = ['q', 'account', 'kind', 'action'] as const;

interface CardEntry {
  readonly element: HTMLElement;
  readonly link: HTMLElement | null;
  readonly accounts: ReadonlySet<string>;
  /** In lower case, read with the first search. */
  text: string | null;
}

/** Shows the previews of one account; empty for the first of each card. */
type ShowAccount = (account: string) => void;

/** The switch between accounts in each preview. Its options are made when it is first used, because there are many. */
function switchAccounts(): ShowAccount {
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
function listAccounts(element: HTMLElement | null, names: readonly string[]): readonly string[] {
  const indexes = (element?.dataset['accounts'] ?? '').split(' ').filter((part) => part !== '');
  return indexes.map((index) => names[Number(index)] ?? '');
}

/** Filters the cards. The fragment of the address holds them, so that a link shows the same view. */
function filterCards(showAccount: ShowAccount): void {
  const bar = document.querySelector<HTMLFormElement>('#filters');
  if (bar === null) return;
  const cards = cardEntries(bar);
  const apply = () => applyFilters(bar, cards, showAccount);
  const set = (wanted: Partial<Record<(typeof FIELDS)[number], string>>) => {
    const entries = Object.entries(wanted).filter(([, value]) => value !== '');
    const fragment = new URLSearchParams(entries).toString();
    history.replaceState(null, '', `#${fragment === '' ? 'changes' : fragment}`);
    apply();
  };
  bar.addEventListener('submit', (event) => event.preventDefault());
  bar.addEventListener('input', () =>
    set(Object.fromEntries(FIELDS.map((name) => [name, findField(bar, name)?.value ?? '']))),
  );
  bar.addEventListener('reset', (event) => {
    event.preventDefault();
    set({});
  });
  addEventListener('hashchange', () => {
    apply();
    reveal(() => set({}));
  });
  foldOnClick(cards);
  apply();
  reveal(() => set({}));
}

function cardEntries(bar: HTMLFormElement): readonly CardEntry[] {
  const names = [...(findField(bar, 'account')?.querySelectorAll('option') ?? [])]
    .slice(1)
    .map(({ value }) => value);
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.index a')].map((link) => [link.hash.slice(1), link]),
  );
  return [...document.querySelectorAll<HTMLElement>('.card')].map((element) => ({
    element,
    link: links.get(element.id)?.parentElement ?? null,
    accounts: new Set(listAccounts(element, names)),
    text: null,
  }));
}

function findField(bar: HTMLFormElement, name: string): HTMLInputElement | HTMLSelectElement | null {
  return bar.querySelector(`[name=${name}]`);
}

function applyFilters(bar: HTMLFormElement, cards: readonly CardEntry[], showAccount: ShowAccount): void {
  const hash = location.hash.slice(1);
  const wanted = new URLSearchParams(hash.includes('=') ? hash : '');
  for (const name of FIELDS) {
    const field = findField(bar, name);
    const value = wanted.get(name) ?? '';
    if (field !== null && field.value !== value) field.value = value;
  }
  const account = wanted.get('account') ?? '';
  let [groups, changes] = [0, 0];
  for (const card of cards) {
    const isShown = matches(card, wanted);
    card.element.hidden = !isShown;
    if (card.link !== null) card.link.hidden = !isShown;
    if (!isShown) continue;
    groups += 1;
    changes += account === '' ? Number(card.element.dataset['changes']) : 1;
  }
  const isAll = FIELDS.every((name) => (wanted.get(name) ?? '') === '');
  const shown = document.getElementById('shown');
  if (shown !== null)
    shown.textContent = isAll
      ? ''
      : `${groups} of ${cards.length} groups, ${changes} ${changes === 1 ? 'change' : 'changes'}`;
  for (const [id, isHidden] of [
    ['none', groups > 0],
    ['clear', isAll],
  ] as const) {
    const element = document.getElementById(id);
    if (element !== null) element.hidden = isHidden;
  }
  if (account !== '') showAccount(account);
}

function matches(card: CardEntry, wanted: URLSearchParams): boolean {
  const { kind, action } = card.element.dataset;
  const [q, account] = [wanted.get('q') ?? '', wanted.get('account') ?? ''];
  if ((wanted.get('kind') ?? kind) !== kind || (wanted.get('action') ?? action) !== action) return false;
  if (account !== '' && !card.accounts.has(account)) return false;
  if (q === '') return true;
  card.text ??= (card.element.textContent ?? '').toLowerCase();
  return card.text.includes(q.toLowerCase());
}

/** A link to a card opens it, and shows it whatever the filters say. */
function reveal(clear: () => void): void {
  const id = location.hash.slice(1);
  const target = id === '' || id.includes('=') ? null : document.getElementById(id);
  if (target === null || !target.matches('.card')) {
    if (id.includes('=')) document.getElementById('changes')?.scrollIntoView();
    return;
  }
  const details = target.querySelector('details');
  if (details !== null) details.open = true;
  if (target.hidden) clear();
  target.scrollIntoView();
}

function foldOnClick(cards: readonly CardEntry[]): void {
  const button = document.getElementById('fold');
  button?.addEventListener('click', () => {
    const isOpen = button.dataset['open'] !== 'true';
    for (const { element } of cards) {
      const details = element.querySelector('details');
      if (details !== null) details.open = isOpen;
    }
    button.dataset['open'] = String(isOpen);
    button.textContent = isOpen ? 'Close all' : 'Open all';
  });
}
filterCards(switchAccounts());
openForPrint();
copyOnClick();
showAge();

/** Opens everything for paper, and restores it after. */
function openForPrint(): void {
  let closed: readonly HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
    for (const element of closed) element.open = true;
  });
  addEventListener('afterprint', () => {
    for (const element of closed) element.open = false;
  });
}

/** A page from the disk may not have a clipboard; then there is nothing to click. */
function copyOnClick(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('.copy')) {
    if (typeof navigator.clipboard === 'undefined') {
      button.remove();
      continue;
    }
    button.addEventListener('click', () => {
      const command = button.previousElementSibling?.textContent ?? '';
      navigator.clipboard.writeText(command.trim()).then(
        () => {
          button.textContent = 'Copied';
        },
        () => {
          button.textContent = 'Not copied';
        },
      );
    });
  }
}

/** A plan that is older than an hour says so. */
function showAge(): void {
  const planned = document.querySelector<HTMLTimeElement>('.where time');
  const element = document.getElementById('age');
  const hours = Math.floor((Date.now() - Date.parse(planned?.dateTime ?? '')) / HOUR_MS);
  if (element === null || !(hours >= 1)) return;
  element.hidden = false;
  element.textContent = hours < 48 ? `· ${hours} h old` : `· ${Math.floor(hours / 24)} days old`;
}
