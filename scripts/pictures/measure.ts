/** Runs in the page. One line for each fault of layout that can be measured. */
export function measurePage(): string[] {
  const findings = new Set<string>();
  const nameOf = (element: Element): string => {
    const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 60);
    const marker = element.closest('[data-command],[data-column],[data-field],[role="dialog"],section,header,nav');
    const context = marker?.getAttribute('data-command') ?? marker?.getAttribute('data-column') ?? marker?.tagName ?? '';
    return `${element.tagName.toLowerCase()} “${text}” in ${context}`;
  };
  const modal = [...document.querySelectorAll('[role="dialog"]:not([data-peek]), [role="alertdialog"]')].findLast((dialog) =>
    dialog.checkVisibility(),
  );
  const root = modal ?? document.body;
  const isShown = (element: Element): boolean => {
    const { width, height, right, bottom, left, top } = element.getBoundingClientRect();
    return (
      width > 1 &&
      height > 1 &&
      right > 0 &&
      bottom > 0 &&
      left < innerWidth &&
      top < innerHeight &&
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    );
  };
  const elements = [...root.querySelectorAll('*')].filter(isShown);
  if (document.documentElement.scrollWidth > innerWidth + 1)
    findings.add(`page scrolls sideways by ${document.documentElement.scrollWidth - innerWidth} px`);

  for (const element of elements) {
    const style = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
    const isHiddenText = element.closest('.sr-only') !== null || width < 4;
    const isClipping = style.overflowX === 'hidden' || style.overflowX === 'clip';
    const excess = element.scrollWidth - element.clientWidth;
    if (hasText && !isHiddenText && element.clientWidth > 0 && excess > 1) {
      const isExplained = element.closest('[title],[data-tip]') !== null;
      if (isClipping && style.textOverflow !== 'ellipsis') findings.add(`cut by ${excess} px: ${nameOf(element)}`);
      else if (isClipping && !isExplained && !element.closest('[role="grid"],[role="tree"]'))
        findings.add(`shortened without a tooltip: ${nameOf(element)}`);
      else if (!isClipping && style.overflowX === 'visible' && style.display !== 'inline' && excess > 2)
        findings.add(`runs out of its box by ${excess} px: ${nameOf(element)}`);
    }
    const isControl = element.matches('button, a[href], input:not([type="hidden"]), select, [role="switch"], [role="tab"]');
    if (isControl) {
      const target = element.matches('input[type="checkbox"], input[type="radio"]')
        ? (element.closest('label') ?? element)
        : element;
      const box = target.getBoundingClientRect();
      const isInline =
        element.tagName === 'A' &&
        style.display.startsWith('inline') &&
        element.parentElement?.textContent !== element.textContent;
      const isInRow = element.closest('[role="row"]') !== null;
      if (
        !isInline &&
        !isInRow &&
        (box.width < 23.5 || box.height < 23.5) &&
        !element.matches('[data-exact], .sr-only, [tabindex="-1"]')
      )
        findings.add(`target ${Math.round(box.width)} × ${Math.round(box.height)} px: ${nameOf(element)}`);
      if (
        element.tagName === 'BUTTON' &&
        height > 44 &&
        !element.matches('#commands *,[role="radio"],[data-figure],:has(img, dl, p)')
      )
        findings.add(`wrapped button, ${Math.round(height)} px high: ${nameOf(element)}`);
    }
    const isScrolling = (candidate: Element): boolean =>
      /auto|scroll/.test(getComputedStyle(candidate).overflowY) &&
      candidate.scrollHeight > candidate.clientHeight + 2 &&
      candidate.clientHeight > 40;
    if (isScrolling(element) && element.tagName !== 'TEXTAREA') {
      for (let parent = element.parentElement; parent && parent !== root.parentElement; parent = parent.parentElement)
        if (isScrolling(parent)) findings.add(`scrolls inside another scrolling part: ${nameOf(element).slice(0, 60)}`);
    }
  }

  const texts = elements
    .filter(
      (element) =>
        !element.closest('.sr-only, canvas, option') &&
        [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()),
    )
    .slice(0, 900)
    .flatMap((element) => {
      const range = document.createRange();
      const textNode = [...element.childNodes].find((node) => node.nodeType === 3 && node.textContent?.trim());
      range.selectNodeContents(textNode ?? element);
      // A box for each line, because the box of wrapped text covers its neighbors.
      return [...range.getClientRects()].slice(0, 4).flatMap((box) => {
        const visible = { left: box.left, right: box.right, top: box.top, bottom: box.bottom };
        for (let clip: Element | null = element; clip && clip !== document.body; clip = clip.parentElement) {
          if (getComputedStyle(clip).overflow === 'visible') continue;
          const edges = clip.getBoundingClientRect();
          visible.left = Math.max(visible.left, edges.left);
          visible.right = Math.min(visible.right, edges.right);
          visible.top = Math.max(visible.top, edges.top);
          visible.bottom = Math.min(visible.bottom, edges.bottom);
        }
        if (visible.right - visible.left < 2 || visible.bottom - visible.top < 2) return [];
        const middle = document.elementFromPoint((visible.left + visible.right) / 2, (visible.top + visible.bottom) / 2);
        const isOnTop = middle !== null && (middle === element || element.contains(middle) || middle.contains(element));
        return isOnTop ? [{ element, ...visible }] : [];
      });
    });
  for (const [index, one] of texts.entries())
    for (const other of texts.slice(index + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      if (one.element.closest('p, li') && one.element.closest('p, li') === other.element.closest('p, li')) continue; // one text
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (across > 3 && down > 4) findings.add(`texts overlap: ${nameOf(one.element)} and ${nameOf(other.element)}`);
    }

  const isChinese = document.documentElement.lang.startsWith('zh');
  for (const { element } of texts) {
    if (element.closest('[translate="no"], [role="row"], [data-record] dd, code, kbd, article, [dir="auto"]')) continue;
    const text = [...element.childNodes]
      .map((node) => (node.nodeType === 3 ? node.textContent : ''))
      .join(' ')
      .trim();
    const isForeign = isChinese ? /[A-Za-z]{3,} [a-z]{2,} [a-z]{2,}/.test(text) : /\p{Script=Han}{2,}/u.test(text);
    if (isForeign) findings.add(`not in the page’s language: ${text.slice(0, 80)}`);
  }
  return [...findings];
}
