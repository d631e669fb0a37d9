/** Like a browser's translation, with `<font>`, also for later texts. Returns a stop function. */
export function translatePage(translate = (text: string) => `«${text}»`): () => void {
  const wrapText = (text: Text) => {
    const parent = text.parentElement;
    if (!parent || /^(SCRIPT|STYLE|TEXTAREA|FONT)$/.test(parent.tagName) || parent.closest('svg') || !/\p{L}/u.test(text.data))
      return;
    const [outerFont, innerFont] = [document.createElement('font'), document.createElement('font')];
    innerFont.textContent = translate(text.data);
    outerFont.append(innerFont);
    parent.replaceChild(outerFont, text);
  };
  const wrapAllTexts = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const textNodes: Text[] = [];
    while (walker.nextNode()) textNodes.push(walker.currentNode as Text);
    textNodes.forEach(wrapText);
  };
  wrapAllTexts(document.body);
  const observer = new MutationObserver((records) =>
    setTimeout(() => {
      for (const { addedNodes } of records)
        for (const node of addedNodes) {
          if (!node.isConnected) continue;
          if (node instanceof Text) wrapText(node);
          else if (node instanceof Element) wrapAllTexts(node);
        }
    }, 60),
  );
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}
