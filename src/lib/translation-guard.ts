/**
 * Browser translation replaces texts by `<font>` elements, and React throws when it removes, moves or changes the missing texts
 * (https://github.com/facebook/react/issues/11538). This redirects such calls to the translation, and restores a text that React
 * changes.
 */
export function guardAgainstTranslation(): void {
  const { removeChild, insertBefore, appendChild } = Node.prototype;
  /** Replacement of each removed text or translation. */
  const standIns = new WeakMap<Node, Node>();

  const observer = new MutationObserver((records) => records.forEach(note));
  observer.observe(document, { childList: true, subtree: true });

  function note({ addedNodes, removedNodes, previousSibling, nextSibling }: MutationRecord): void {
    for (const removed of removedNodes) {
      const standIn = isFont(removed)
        ? addedNodes[0] // translation was turned off
        : isText(removed) && [...addedNodes, previousSibling, nextSibling].find(isFont);
      if (standIn) standIns.set(removed, standIn);
    }
  }

  /** Handles mutations that the observer has not reported yet. */
  const catchUp = () => observer.takeRecords().forEach(note);

  /** Follows replacements to a node in the page. Null for none. */
  function standInOf(node: Node): Node | null {
    const seen = new Set([node]);
    for (let at = standIns.get(node); at && !seen.has(at); at = standIns.get(at)) {
      if (at.parentNode) return at;
      seen.add(at);
    }
    return null;
  }

  /** The child of `parent` that is, replaces or wraps `node`. Null for none. */
  function childFor(node: Node, parent: Node): Node | null {
    if (node.parentNode === parent) return node;
    catchUp();
    for (let at: Node | null = node.parentNode ? node : standInOf(node); at; at = at.parentNode)
      if (at.parentNode === parent) return at;
    return null;
  }

  function translationOf(node: Node): Node | null {
    if (node.parentNode !== null || !isText(node)) return null;
    catchUp();
    return standInOf(node);
  }

  /** Removes the translation of a text that moves. */
  function leave(node: Node): void {
    const translation = translationOf(node);
    if (translation?.parentNode) removeChild.call(translation.parentNode, translation);
  }

  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    const there = childFor(child, this);
    if (there) removeChild.call(this, there);
    return child;
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, child: T, before: Node | null): T {
    leave(child);
    insertBefore.call(this, child, before && childFor(before, this));
    return child;
  };
  Node.prototype.appendChild = function <T extends Node>(this: Node, child: T): T {
    leave(child);
    appendChild.call(this, child);
    return child;
  };

  const nodeValue = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue');
  Object.defineProperty(Node.prototype, 'nodeValue', {
    ...nodeValue,
    set(this: Node, value: string | null) {
      nodeValue?.set?.call(this, value);
      const translation = translationOf(this);
      translation?.parentNode?.replaceChild(this, translation);
    },
  });
}

const isText = (node: Node): boolean => node.nodeType === Node.TEXT_NODE;
const isFont = (node: Node | null): boolean => node?.nodeName === 'FONT';
