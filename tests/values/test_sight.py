from harness.values.sight import EntityView, Point


def test_points_add_and_subtract_as_vectors():
    step = (10, 20)

    assert Point(1, 2) + step == Point(11, 22)
    assert Point(1, 2) - Point(10, 20) == Point(-9, -18)


def test_an_entity_is_shown_by_its_id_where_it_has_one():
    assert str(EntityView(5, "Player", "Level/Player")) == "#5 Player"
    assert str(EntityView(None, "Player", "Player")) == "Player"
