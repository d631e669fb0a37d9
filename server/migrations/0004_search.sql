-- Finds part of a text of any length in any script: every character and every pair. Trigrams do not serve the commonest
-- Chinese search, two characters. In plpgsql, since its in-place append is six times as fast as the same in SQL.
CREATE FUNCTION text_grams(value text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  letters text[] := string_to_array(lower(value), NULL);
  grams text[] := letters;
BEGIN
  FOR at IN 1 .. cardinality(letters) - 1 LOOP
    grams := grams || (letters[at] || letters[at + 1]);
  END LOOP;
  RETURN grams;
END $$;
--> statement-breakpoint
-- What of them a search needs: the pairs, or its one character.
CREATE FUNCTION search_grams(value text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  letters text[] := string_to_array(lower(value), NULL);
  grams text[] := '{}';
BEGIN
  IF cardinality(letters) < 2 THEN
    RETURN letters;
  END IF;
  FOR at IN 1 .. cardinality(letters) - 1 LOOP
    grams := grams || (letters[at] || letters[at + 1]);
  END LOOP;
  RETURN grams;
END $$;
--> statement-breakpoint
DROP INDEX "news_title_search";--> statement-breakpoint
CREATE INDEX "news_title_grams" ON "news" USING gin (text_grams("title"));
