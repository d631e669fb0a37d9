/** Like a browser's translation, with `<font>`, also for later texts. Returns a stop function. */
export function translatePage(translation = (text: string) => `«${text}»`): () => void {
  const wrap = (text: Text) => {
    const parent = text.parentElement;
    if (!parent || /^(SCRIPT|STYLE|TEXTAREA|FONT)$/.test(parent.tagName) || parent.closest('svg') || !/\p{L}/u.test(text.data))
      return;
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    inner.textContent = translation(text.data);
    outer.append(inner);
    parent.replaceChild(outer, text);
  };
  const wrapAll = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (walker.nextNode()) found.push(walker.currentNode as Text);
    found.forEach(wrap);
  };
  wrapAll(document.body);
  const observer = new MutationObserver((records) =>
    setTimeout(() => {
      for (const { addedNodes } of records)
        for (const node of addedNodes) {
          if (!node.isConnected) continue;
          if (node instanceof Text) wrap(node);
          else if (node instanceof Element) wrapAll(node);
        }
    }, 60),
  );
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}
