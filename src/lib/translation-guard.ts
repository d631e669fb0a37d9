/**
 * Browser translation replaces texts by `<font>` elements, and React throws when it removes, moves or changes the missing texts
 * (https://github.com/facebook/react/issues/11538). This redirects such calls to the translation, and restores a text that React
 * changes.
 */
export function guardAgainstTranslation(): void {
  const { removeChild, insertBefore, appendChild } = Node.prototype;
  /** Replacement of each removed text or translation. */
  const replacements = new WeakMap<Node, Node>();

  const observer = new MutationObserver((records) => records.forEach(recordMutation));
  observer.observe(document, { childList: true, subtree: true });

  function recordMutation({ addedNodes, removedNodes, previousSibling, nextSibling }: MutationRecord): void {
    for (const removedNode of removedNodes) {
      const replacement = isFont(removedNode)
        ? addedNodes[0] // translation was turned off
        : isText(removedNode) && [...addedNodes, previousSibling, nextSibling].find(isFont);
      if (replacement) replacements.set(removedNode, replacement);
    }
  }

  /** Handles mutations that the observer has not reported yet. */
  const applyPendingRecords = () => observer.takeRecords().forEach(recordMutation);

  /** Follows replacements to a node in the page. Null for none. */
  function findReplacement(node: Node): Node | null {
    const visited = new Set([node]);
    for (let current = replacements.get(node); current && !visited.has(current); current = replacements.get(current)) {
      if (current.parentNode) return current;
      visited.add(current);
    }
    return null;
  }

  /** The child of `parent` that is, replaces or wraps `node`. Null for none. */
  function findChild(node: Node, parent: Node): Node | null {
    if (node.parentNode === parent) return node;
    applyPendingRecords();
    for (let current: Node | null = node.parentNode ? node : findReplacement(node); current; current = current.parentNode)
      if (current.parentNode === parent) return current;
    return null;
  }

  function findTranslation(node: Node): Node | null {
    if (node.parentNode !== null || !isText(node)) return null;
    applyPendingRecords();
    return findReplacement(node);
  }

  /** Removes the translation of a text that moves. */
  function removeTranslation(node: Node): void {
    const translation = findTranslation(node);
    if (translation?.parentNode) removeChild.call(translation.parentNode, translation);
  }

  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    const presentChild = findChild(child, this);
    if (presentChild) removeChild.call(this, presentChild);
    return child;
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, child: T, referenceNode: Node | null): T {
    removeTranslation(child);
    insertBefore.call(this, child, referenceNode && findChild(referenceNode, this));
    return child;
  };
  Node.prototype.appendChild = function <T extends Node>(this: Node, child: T): T {
    removeTranslation(child);
    appendChild.call(this, child);
    return child;
  };

  const nodeValue = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue');
  Object.defineProperty(Node.prototype, 'nodeValue', {
    ...nodeValue,
    set(this: Node, value: string | null) {
      nodeValue?.set?.call(this, value);
      const translation = findTranslation(this);
      translation?.parentNode?.replaceChild(this, translation);
    },
  });
}

const isText = (node: Node): boolean => node.nodeType === Node.TEXT_NODE;
const isFont = (node: Node | null): boolean => node?.nodeName === 'FONT';
