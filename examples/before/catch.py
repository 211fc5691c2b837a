"""Catch the apples: a game as one writes it first. Everything is in one loop."""

import random

import pygame

pygame.init()
window = pygame.display.set_mode((320, 240))
clock = pygame.time.Clock()

basket = 160.0
apples = []
caught = missed = 0
next_apple = pygame.time.get_ticks()

while missed < 3:
    for event in pygame.event.get():
        if event.type == pygame.QUIT:
            raise SystemExit

    dt = clock.tick(60) / 1000
    keys = pygame.key.get_pressed()
    basket += (keys[pygame.K_RIGHT] - keys[pygame.K_LEFT]) * 360 * dt
    basket = max(20, min(300, basket))

    if pygame.time.get_ticks() >= next_apple:
        apples.append([random.randint(20, 300), 0])
        next_apple += 800
    for apple in list(apples):
        apple[1] += 120 * dt
        if apple[1] >= 220:
            apples.remove(apple)
            if abs(apple[0] - basket) <= 24:
                caught += 1
            else:
                missed += 1

    window.fill("skyblue")
    pygame.draw.rect(window, "saddlebrown", (basket - 20, 220, 40, 12))
    for x, y in apples:
        pygame.draw.circle(window, "crimson", (x, y), 6)
    pygame.display.set_caption(f"caught {caught}, missed {missed}")
    pygame.display.flip()

print(f"You caught {caught} apples.")
