// Part of the rules of the authority log: a change needs a new log version.

const lookAlikes: readonly (readonly [like: string, letters: string])[] = [
  ['A', 'ΑАᎪꓮ'],
  ['a', 'αаɑᴀ'],
  ['B', 'ΒВᏴꓐ'],
  ['b', 'ЬьᏏƅɓʙв'],
  ['C', 'СϹᏟꓚⲤ'],
  ['c', 'сϲᴄⲥƈ'],
  ['D', 'ᎠꓓĐÐ'],
  ['d', 'ԁᏧđɗᴅ'],
  ['E', 'ΕЕᎬꓰ'],
  ['e', 'еεєҽᴇ'],
  ['F', 'Ϝꓝ'],
  ['f', 'ƒꜰẝ'],
  ['G', 'ԌᏀꓖ'],
  ['g', 'ɡցɢɠ'],
  ['H', 'ΗНᎻꓧ'],
  ['h', 'һհᏂħʜн'],
  ['l', 'IΙІӀӏ|1ǀᛁⲒꓲ١۱l∣ɩ'],
  ['i', 'іιıᎥɪ'],
  ['J', 'ЈᎫꓙ'],
  ['j', 'јϳյᴊ'],
  ['K', 'ΚКᏦꓗⲔ'],
  ['k', 'кκᴋƙⲕ'],
  ['L', 'ᏞꓡԼŁ'],
  ['l', 'łʟ'],
  ['M', 'ΜМᎷꓟⲘϺ'],
  ['m', 'мᴍ'],
  ['N', 'ΝꓠⲚ'],
  ['n', 'ηпոռɴɲ'],
  ['o', 'OΟОՕᎤꓳⲞοоօסᴏⲟ0०০٥۵σøØ〇'],
  ['P', 'ΡРᏢꓑⲢ'],
  ['p', 'рρᴘⲣƥ'],
  ['Q', 'Ԛ'],
  ['q', 'ԛգզ'],
  ['R', 'ᎡᏒꓣ'],
  ['r', 'гᴦʀɾ'],
  ['S', 'ЅՏᏕꓢ'],
  ['s', 'ѕꜱʂſ'],
  ['T', 'ΤТᎢꓔⲦ'],
  ['t', 'тτᴛŧƭʈ'],
  ['U', 'Սꓴ'],
  ['u', 'υսʋᴜμ'],
  ['V', 'ᏙꓦѴ'],
  ['v', 'νѵᴠ'],
  ['W', 'ᎳꓪԜ'],
  ['w', 'ԝᴡωшɯ'],
  ['X', 'ΧХꓫⲬ'],
  ['x', 'хχ×'],
  ['Y', 'ΥҮУꓬᎩ'],
  ['y', 'уүʏƴγ'],
  ['Z', 'ΖᏃꓜ'],
  ['z', 'ᴢȥʐƶ'],
  ['2', 'Ƨ'],
  ['3', 'ЗзӠƷȜɜ'],
  ['4', 'Ꮞ'],
  ['6', 'бᏮ'],
  ['8', 'Ȣȣ'],
  ['一', 'ー—―ㄧ'],
  ['二', 'ニ'],
  ['三', 'ミ'],
  ['八', 'ハ'],
  ['力', 'カ'],
  ['口', 'ロ囗'],
  ['工', 'エ'],
  ['夕', 'タ'],
  ['卜', 'ト'],
  ['日', '曰'],
  ['未', '末'],
  ['己', '已巳'],
  ['士', '土'],
  ['人', '入'],
  ['千', '干'],
  ['戊', '戌戍'],
];
const baseCharacterOf = new Map(
  lookAlikes.flatMap(([baseCharacter, variants]) => [...variants].map((variant) => [variant, baseCharacter] as const)),
);

const stripMarks = (text: string): string => text.normalize('NFKD').replace(/[^\p{L}\p{N}|]/gu, '');

function toComparableShapes(name: string): readonly [string, string] {
  const decomposed = name.normalize('NFKD');
  const skeleton = [...decomposed].map((variant) => baseCharacterOf.get(variant) ?? variant).join('');
  return [stripMarks(decomposed).toLowerCase(), stripMarks(skeleton).toLowerCase().replaceAll('rn', 'm').replaceAll('vv', 'w')];
}

const isEmail = (name: string): boolean => /^[!-~]+@[!-~]+$/.test(name);

const toEmailShape = (email: string): string =>
  email.toLowerCase().replaceAll('0', 'o').replaceAll(/[1|]/g, 'l').replaceAll('rn', 'm').replaceAll('vv', 'w');

export function isLookAlike(a: string, b: string): boolean {
  if (a === b) return false;
  if (isEmail(a) && isEmail(b)) return toEmailShape(a) === toEmailShape(b);
  const [[textShape, glyphShape], [otherTextShape, otherGlyphShape]] = [toComparableShapes(a), toComparableShapes(b)];
  return textShape === otherTextShape || glyphShape === otherGlyphShape;
}
