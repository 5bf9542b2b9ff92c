const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** The matrix is one stop of the tab key. Arrows, Home and End move inside. */
export function walkMatrix(): void {
  for (const table of document.querySelectorAll<HTMLTableElement>('.mx')) walkTable(table);
}

function walkTable(table: HTMLTableElement): void {
  const links = [...table.querySelectorAll<HTMLAnchorElement>('td a')];
  for (const [index, link] of links.entries()) link.tabIndex = index === 0 ? 0 : -1;
  table.addEventListener('keydown', (event) => {
    const from = document.activeElement;
    const cell = from?.parentElement;
    if (!(from instanceof HTMLAnchorElement) || !(cell instanceof HTMLTableCellElement)) return;
    const isColumn = event.key === 'ArrowUp' || event.key === 'ArrowDown';
    const line = isColumn ? linksOfColumn(table, cell.cellIndex) : linksOf(cell.parentElement);
    const step = STEPS[event.key];
    const next =
      event.key === 'Home'
        ? line[0]
        : event.key === 'End'
          ? line.at(-1)
          : step === undefined
            ? undefined
            : line[line.indexOf(from) + step];
    if (next === undefined) return;
    event.preventDefault();
    from.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}

function linksOfColumn(table: HTMLTableElement, column: number): readonly HTMLAnchorElement[] {
  return [...table.rows].flatMap(({ cells }) => linksOf(cells[column] ?? null));
}

function linksOf(element: Element | null): readonly HTMLAnchorElement[] {
  return element === null ? [] : [...element.querySelectorAll<HTMLAnchorElement>('td > a, :scope > a')];
}
